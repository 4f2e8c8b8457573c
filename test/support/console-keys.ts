// The console by keys alone, for tests: from stop to stop, each of which must be seen, as somebody goes who has no mouse.
import type { Locator, Page } from 'playwright-core';

// More stops than any view has.
const mostStops = 400;

/** Where the focus is: what is wrong with that ('' where nothing is), whether it is a target, and whether one of these is no longer in the page. */
type Stop = { readonly fault: string; readonly isTarget: boolean; readonly isStale: boolean };

// Runs in the browser, whose types are not known here.
function atStop(targets: readonly any[]): Stop {
  const { document, innerHeight, innerWidth, getComputedStyle } = globalThis as any;
  const here = document.activeElement;
  const is = (fault: string): Stop => ({
    fault,
    isTarget: targets.includes(here),
    isStale: targets.length === 0 || targets.some(({ isConnected }) => !isConnected),
  });
  if (here === null || here === document.body) return is('the focus is lost');
  const { top, bottom, left, right, width, height } = here.getBoundingClientRect();
  if (width < 1 || height < 1 || bottom <= 0 || top >= innerHeight)
    return is(`the focus is out of sight: ${here.outerHTML.slice(0, 200)}`);
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const [from, to] = [Math.max(top, 0) + 1, Math.min(bottom, innerHeight) - 1];
  const seen = [from, (from + to) / 2, to].map((y) => document.elementFromPoint(x, y)).filter((each) => each !== null);
  // What stands around it does not stand before it.
  if (seen.length > 0 && !seen.some((each) => here.contains(each) || each.contains(here)))
    return is(`the focus is behind ${seen[0].outerHTML.slice(0, 100)}: ${here.outerHTML.slice(0, 200)}`);
  const { outlineStyle, outlineWidth } = getComputedStyle(here);
  if (outlineStyle === 'none' || parseFloat(outlineWidth) === 0)
    return is(`the focus is not marked: ${here.outerHTML.slice(0, 200)}`);
  return is('');
}

/** Presses Tab, or Shift+Tab, until the target has the focus; fails where the focus is lost or cannot be seen on the way. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor({ state: 'attached' });
  // Looked for once: to find a button by its name in a form of thousands of elements takes more than all else of a stop, and there are hundreds.
  let targets = await target.elementHandles();
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press(key);
    let at = await page.evaluate(atStop, targets);
    if (at.isStale) {
      targets = await target.elementHandles();
      at = await page.evaluate(atStop, targets);
    }
    if (at.fault !== '') throw new Error(`${key}, stop ${stop + 1}: ${at.fault}`);
    if (at.isTarget) return;
  }
  throw new Error(`${key} never comes to ${String(target)}`);
}

/** Goes to the target and presses Enter on it. */
export async function enter(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(page, target, key);
  await page.keyboard.press('Enter');
}

/** Whether the focus is on something of the view, rather than dropped to the page. */
export const hasFocus = (page: Page): Promise<boolean> =>
  page.evaluate(`document.getElementById('main')?.contains(document.activeElement) === true`);
