function all(selector, root = document) {
  const found = [...root.querySelectorAll(selector)];
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) found.push(...all(selector, element.shadowRoot));
  }
  return found.length || root !== document ? found : null;
}

function isShown(element) {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

function input(name) {
  return (all(`input[name=${name}]`) ?? []).find(isShown);
}

// What a person reads, through all shadow roots.
function textOf(node) {
  node ??= document.body;
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE) return "";
  if (["STYLE", "SCRIPT", "TEMPLATE"].includes(node.nodeName)) return "";
  const children =
    node.nodeName === "SLOT" && node.assignedNodes().length ? node.assignedNodes() : (node.shadowRoot ?? node).childNodes;
  return [...children].map(textOf).filter((text) => text.trim()).map((text) => text.trim()).join(" ").replaceAll("\u00a0", " ");
}

const CARDS = "hui-tile-card, hui-button-card, hui-gauge-card, hui-map-card, hui-entity-card, hui-markdown-card";

function cards() {
  return (all(CARDS) ?? []).filter(isShown);
}

function configuration(card) {
  return card._config ?? card.config ?? {};
}

function card(wanted) {
  return cards().find((one) => [configuration(one).entity, configuration(one).name].includes(wanted));
}

function textOfCard(wanted) {
  const one = card(wanted);
  return one ? textOf(one) : null;
}

function shownCards() {
  return cards().flatMap((one) => [configuration(one).entity, configuration(one).name, configuration(one).type]);
}

function heightOfCards() {
  return Math.ceil(Math.max(...cards().map((one) => one.getBoundingClientRect().bottom)) + 24);
}

// By a part of what it is called: numbers may stand around it.
function labelled(selector, label) {
  return (all(selector) ?? []).find(
    (element) => isShown(element) && [element.label, element.ariaLabel, textOf(element)].some((text) => text?.includes(label)));
}

function option(text) {
  return (all("ha-dropdown-item") ?? []).find((element) => isShown(element) && textOf(element) === text);
}

// A part of a card that can be pressed, by what it is called.
function part(wanted, selector, label) {
  const one = card(wanted);
  if (!one) return null;
  return all(selector, one.shadowRoot).find(
    (element) => isShown(element) && (!label || [element.label, element.ariaLabel, element.title, textOf(element)].includes(label)));
}

function mistakes(pattern) {
  const found = (all("hui-error-card, hui-warning, hui-error-badge, hui-error-heading-badge, hui-error-section, hui-warning-element") ?? [])
    .filter(isShown).map((element) => `${element.localName}: ${textOf(element)}`);
  for (const one of cards()) {
    const text = textOf(one);
    if (new RegExp(pattern).test(text)) found.push(`${configuration(one).entity}: ${text}`);
  }
  return found;
}
