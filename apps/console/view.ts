// Views are loaded when they are first opened: what is shown of one that is not there yet, and how one is had that could not be fetched.
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ConnectionLost } from '../../libs/client/errors.ts';
import { awayMs } from './asking.tsx';
import { service } from './session.ts';

/** A view; `rest` is what follows its own address in that of the page. */
export type View = ComponentType<{ readonly rest: string }>;

/** A view that was asked for: it is there, or something is wrong, or it is waited for. */
export type LoadedView = { readonly View: View | null; readonly fault: unknown; readonly again: () => void };

// Where in the storage of the tab stands for which address the page was had anew, so that it is not for ever where that does not help.
const place = 'muniment.loaded-anew';

/**
 * Loads a view by the beginning of its address. One that could not be fetched is had with the whole page, by itself once the service answers and by
 * `again`: browsers remember what a module was refused with, and say the same to whoever asks for it later.
 */
export function useView(beginning: string, load: () => Promise<View>): LoadedView {
  const [shown, setShown] = useState<{ readonly beginning: string; readonly View: View } | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  useLayoutEffect(() => {
    let isLeft = false;
    setFault(null);
    load().then(
      (View) => {
        sessionStorage.removeItem(place);
        if (!isLeft) setShown({ beginning, View });
      },
      // Browsers say this where a view could not be fetched, each in other words.
      (error: unknown) => {
        if (!isLeft) setFault(error instanceof TypeError ? new ConnectionLost(location.origin, error) : error);
      },
    );
    return () => {
      isLeft = true;
    };
  }, [beginning]);
  useEffect(() => {
    if (!(fault instanceof ConnectionLost) || sessionStorage.getItem(place) === location.pathname) return undefined;
    const timer = setInterval(() => void loadAnew(), awayMs);
    return () => clearInterval(timer);
  }, [fault]);
  return { View: shown?.beginning === beginning ? shown.View : null, fault, again: () => void loadAnew() };
}

/** Has the page anew where the service answers: a browser that cannot reach it would show a page of its own instead. */
async function loadAnew(): Promise<void> {
  try {
    await service.ask('/health/live');
  } catch {
    return;
  }
  sessionStorage.setItem(place, location.pathname);
  location.reload();
}
