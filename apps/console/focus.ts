// Where the focus goes when what has it is taken away or shut off: browsers drop it, and whoever goes by keys would begin anew at the top of the page.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

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

/** A window over the page, as long as it is there. Then whoever has answered it goes on where they were, or beside it where that is shut off by now. */
export function useWindow(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      // As long as it is open, nothing behind it takes the focus.
      shown?.close();
      const next = before?.matches(':disabled') === true ? before.parentElement : before;
      if (next instanceof HTMLElement && next !== document.body && next.isConnected) focusOn(next);
    };
  }, []);
  return dialog;
}

function withAncestors(element: Element): readonly Element[] {
  const line: Element[] = [];
  for (let each: Element | null = element; each !== null; each = each.parentElement) line.push(each);
  return line;
}

function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}
