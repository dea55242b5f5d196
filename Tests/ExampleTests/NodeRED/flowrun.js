// Carries out a Node-RED flow without Node-RED: its wiring, its MQTT nodes with mqtt.js, which Node-RED uses too, its
// function nodes and its pages. A type of node or a property that it does not know is an error, never a guess.
//
//   node flowrun.js BROKER-URL [--user NAME --password WORD] FLOWS.json
//
// SIGUSR2 presses the button of every inject node. Lines on standard output, each a JSON object: {"http":PORT} and
// {"ready":true} when it listens and is subscribed, {"debug":{…}}, {"error":{…}}.
'use strict';
const fs = require('fs');
const http = require('http');
const mqtt = require('mqtt');
const { NodeTypes, say } = require('./nodes.js');

const ignored = new Set(['tab', 'comment', 'group']);

function options(words) {
  const found = { positional: [] };
  while (words.length > 0) {
    const word = words.shift();
    if (word.startsWith('--')) found[word.slice(2)] = words.shift();
    else found.positional.push(word);
  }
  return found;
}

function matches(filter, topic) {
  const wanted = filter.split('/');
  const levels = topic.split('/');
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === '#') return true;
    if (i >= levels.length || (wanted[i] !== '+' && wanted[i] !== levels[i])) return false;
  }
  return wanted.length === levels.length;
}

class Flow {
  constructor(definitions, url, { user, password }) {
    this.nodes = new Map();
    this.url = url;
    this.credentials = { username: user, password };
    const unknown = definitions.filter(d => d.type !== 'mqtt-broker' && !ignored.has(d.type) && !(d.type in NodeTypes));
    if (unknown.length > 0) throw new Error(`unknown types of nodes: ${unknown.map(d => d.type).join(', ')}`);
    this.broker = definitions.find(d => d.type === 'mqtt-broker');
    for (const definition of definitions) {
      if (ignored.has(definition.type) || definition.type === 'mqtt-broker') continue;
      for (const id of (definition.wires || []).flat())
        if (!definitions.some(d => d.id === id)) throw new Error(`${definition.name}: a wire to nowhere, ${id}`);
      if (definition.broker && definition.broker !== this.broker.id) throw new Error(`${definition.name}: no such broker`);
      this.nodes.set(definition.id, new NodeTypes[definition.type](definition, this));
    }
  }

  ofType(type) { return [...this.nodes.values()].filter(node => node.type === type); }

  async start() {
    await this.listen();
    this.client = mqtt.connect(this.url, {
      protocolVersion: Number(this.broker.protocolVersion), clean: this.broker.cleansession, ...this.credentials });
    this.client.on('error', error => say({ error: { name: this.broker.name, message: error.message } }));
    this.client.on('message', (topic, payload) => {
      for (const node of this.ofType('mqtt in')) if (matches(node.definition.topic, topic)) node.arrived(topic, payload);
    });
    await new Promise(resolve => this.client.once('connect', resolve));
    const topics = Object.fromEntries(
      this.ofType('mqtt in').map(node => [node.definition.topic, { qos: Number(node.definition.qos) }]));
    if (Object.keys(topics).length > 0)
      await new Promise((resolve, reject) => this.client.subscribe(topics, error => error ? reject(error) : resolve()));
    say({ ready: true });
  }

  async listen() {
    const pages = this.ofType('http in');
    if (pages.length === 0) return;
    const server = http.createServer((request, response) => {
      const url = new URL(request.url, 'http://localhost');
      const page = pages.find(node =>
        node.definition.url === url.pathname && node.definition.method === request.method.toLowerCase());
      if (!page) return response.writeHead(404).end();
      let body = '';
      request.on('data', chunk => { body += chunk; });
      request.on('end', () => page.asked(request, response,
        Object.fromEntries(request.method === 'GET' ? url.searchParams : new URLSearchParams(body))));
    });
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
    say({ http: server.address().port });
  }
}

const found = options(process.argv.slice(2));
const [url, file] = found.positional;
try {
  const flow = new Flow(JSON.parse(fs.readFileSync(file, 'utf8')), url, found);
  flow.start().catch(error => { say({ error: { message: error.message } }); process.exit(1); });
  process.on('SIGUSR2', () => flow.ofType('inject').forEach(node => node.fire()));
} catch (error) {
  say({ error: { message: error.message } });
  process.exit(2);
}
