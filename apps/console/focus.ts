// Where the focus goes when what has it is taken away or shut off: browsers drop it, and whoever goes by keys would begin anew at the top of the page.

/** Keeps the focus near where it was, from now on. */
export function keepFocus(): void {
  // What has the focus, and what it stands in, from within.
  let line: readonly Element[] = [];
  let isLooking = false;
  const look = (): void => {
    isLooking = false;
    const [last, ...around] = line;
    if (document.activeElement !== document.body || last === undefined) return;
    if (last.isConnected && !last.matches(':disabled')) return;
    const main = document.getElementById('main');
    const next = around.find((each) => each.isConnected && main?.contains(each) === true) ?? main;
    if (next instanceof HTMLElement) focusOn(next);
  };
  addEventListener('focusin', ({ target }) => {
    line = target instanceof Element ? withAncestors(target) : [];
  });
  new MutationObserver(() => {
    if (isLooking) return;
    isLooking = true;
    // Views that know better have put it elsewhere by then.
    requestAnimationFrame(look);
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
}

function withAncestors(element: Element): readonly Element[] {
  const line: Element[] = [];
  for (let each: Element | null = element; each !== null; each = each.parentElement) line.push(each);
  return line;
}

function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}
