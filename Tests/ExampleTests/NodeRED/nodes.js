// The types of nodes that the examples use, as Node-RED 3 and 4 have them.
'use strict';
const vm = require('vm');

const say = object => process.stdout.write(JSON.stringify(object) + '\n');
const path = text => text.split('.');
const get = (object, text) => path(text).reduce((value, key) => value === undefined || value === null ? undefined : value[key], object);
function set(object, text, value) {
  const keys = path(text);
  const last = keys.pop();
  for (const key of keys) object = object[key] = typeof object[key] === 'object' && object[key] ? object[key] : {};
  object[last] = value;
}

// A request and its response cannot be copied, and Node-RED does not either.
function clone(message) {
  const { req, res, ...rest } = message;
  const copy = structuredClone(rest);
  if (req) copy.req = req;
  if (res) copy.res = res;
  return copy;
}

class Node {
  constructor(definition, flow) {
    this.definition = definition;
    this.flow = flow;
    this.name = definition.name;
    this.type = definition.type;
  }

  // One output, or a list of outputs, each a message, a list of messages or nothing. Every receiver but the first
  // gets a copy.
  send(result) {
    if (result === null || result === undefined) return;
    let isFirst = true;
    (Array.isArray(result) ? result : [result]).forEach((output, port) => {
      for (const message of Array.isArray(output) ? output : [output]) {
        if (message === null || message === undefined) continue;
        if (typeof message !== 'object') throw new Error(`sends a ${typeof message}`);
        for (const id of this.definition.wires[port] || []) {
          const own = isFirst ? message : clone(message);
          isFirst = false;
          setImmediate(() => this.flow.nodes.get(id).receive(own));
        }
      }
    });
  }

  receive(message) {
    try {
      this.input(message);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) { say({ error: { name: this.name, message: error.message } }); }

  value(text, type, message) {
    switch (type) {
      case 'str': return text;
      case 'num': return Number(text);
      case 'msg': return get(message, text);
      default: throw new Error(`the type of value ${type} is not known here`);
    }
  }
}

class Inject extends Node {
  constructor(definition, flow) {
    super(definition, flow);
    if (definition.repeat || definition.crontab || definition.once) throw new Error('inject: only by hand here');
  }
  fire() {
    const message = {};
    for (const { p } of this.definition.props) set(message, p, this.value(this.definition[p], this.definition[`${p}Type`]));
    this.send(message);
  }
}

class MQTTIn extends Node {
  arrived(topic, bytes) {
    let payload = bytes.toString('utf8');
    if (this.definition.datatype === 'json') {
      try {
        payload = JSON.parse(payload);
      } catch (error) {
        return this.fail(error);
      }
    } else if (this.definition.datatype !== 'utf8') {
      throw new Error(`mqtt in: ${this.definition.datatype} is not known here`);
    }
    this.send({ topic, payload });
  }
}

class MQTTOut extends Node {
  input(message) {
    const topic = this.definition.topic || message.topic;
    if (!topic || /[+#]/.test(topic)) throw new Error(`'${topic}' is no topic`);
    const payload = typeof message.payload === 'object' ? JSON.stringify(message.payload) : String(message.payload);
    this.flow.client.publish(topic, payload, { qos: Number(this.definition.qos), retain: this.definition.retain === 'true' });
  }
}

class Debug extends Node {
  input(message) { say({ debug: { name: this.name, topic: message.topic, value: get(message, this.definition.complete) } }); }
}

class Function_ extends Node {
  constructor(definition, flow) {
    super(definition, flow);
    if (definition.libs.length > 0 || definition.initialize || definition.finalize) throw new Error('function: its code only here');
    const kept = {};
    const context = { get: key => get(kept, key), set: (key, value) => set(kept, key, value) };
    this.run = vm.runInNewContext(`(function (msg) {${definition.func}\n})`, { context, node: this, Buffer, URL, Date });
  }
  input(message) { this.send(this.run(message)); }
}

class Switch extends Node {
  input(message) {
    const value = this.value(this.definition.property, this.definition.propertyType, message);
    this.send(this.definition.rules.map(rule => {
      if (rule.t !== 'eq') throw new Error(`switch: the rule ${rule.t} is not known here`);
      return value == this.value(rule.v, rule.vt, message) ? message : null;  // as Node-RED: not strict
    }));
  }
}

class Change extends Node {
  input(message) {
    for (const rule of this.definition.rules) {
      if (rule.t !== 'set' || rule.pt !== 'msg') throw new Error(`change: the rule ${rule.t} is not known here`);
      set(message, rule.p, this.value(rule.to, rule.tot, message));
    }
    this.send(message);
  }
}

class ReportByException extends Node {
  constructor(definition, flow) {
    super(definition, flow);
    if (definition.func !== 'rbe') throw new Error(`rbe: ${definition.func} is not known here`);
    this.last = new Map();
  }
  input(message) {
    const value = JSON.stringify(get(message, this.definition.property));
    if (this.last.get(message.topic) === value) return;
    this.last.set(message.topic, value);
    this.send(message);
  }
}

class HTTPIn extends Node {
  asked(req, res, payload) { this.send({ req, res, payload }); }
}

class HTTPResponse extends Node {
  input(message) {
    message.res.writeHead(Number(this.definition.statusCode || message.statusCode || 200), message.headers || {});
    message.res.end(message.payload);
  }
}

const NodeTypes = {
  inject: Inject, 'mqtt in': MQTTIn, 'mqtt out': MQTTOut, debug: Debug, function: Function_, switch: Switch,
  change: Change, rbe: ReportByException, 'http in': HTTPIn, 'http response': HTTPResponse,
};

module.exports = { NodeTypes, say };
