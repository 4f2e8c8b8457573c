// Elements of the page. Text goes in as text nodes and attributes by name: nothing that is shown is ever read as HTML.

/**
 * Makes an element. An attribute that is true has no value; one that is false or undefined is left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {{ readonly [name: string]: string | boolean | undefined }} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/**
 * A button that does something other than sending its form.
 * @param {string} text
 * @param {() => unknown} act
 * @returns {HTMLButtonElement}
 */
export function button(text, act) {
  const made = element('button', { type: 'button' }, text);
  made.addEventListener('click', act);
  return made;
}

/**
 * A disclosure whose content is made when it is first opened.
 * @param {{ readonly [name: string]: string | boolean | undefined }} attributes
 * @param {readonly (Node | string)[]} summary
 * @param {() => readonly (Node | string)[]} content
 * @returns {HTMLDetailsElement}
 */
export function disclosure(attributes, summary, content) {
  const details = element('details', attributes, element('summary', {}, ...summary));
  details.addEventListener('toggle', () => details.append(...content()), { once: true });
  return details;
}

/**
 * Descriptions as they are written: paragraphs apart by an empty line, `code`, and blocks between lines of three such marks, which are left out where
 * the page shows a command of its own.
 * @param {string} text
 * @returns {readonly HTMLElement[]}
 */
export function prose(text) {
  return text
    .replace(/```[\s\S]*?```/g, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => element('p', {}, ...inline(paragraph)));
}

/**
 * One line of a description.
 * @param {string} text
 * @returns {readonly (Node | string)[]}
 */
export function inline(text) {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));
}

/** Whether what had the focus was taken away or shut off. */
export const isFocusLost = () => {
  const here = document.activeElement;
  return here === null || here === document.body || here.matches(':disabled');
};

/**
 * The element of page.html with this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function found(id) {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`the page lacks #${id}`);
  return node;
}
