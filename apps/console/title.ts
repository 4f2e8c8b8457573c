// The title of the window.
import { useEffect } from 'preact/hooks';
import { withoutMarkup } from './markup.tsx';

/** Says what the view is about in the title of the window; titles of records may have markup. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Muniment' : `${withoutMarkup(title)} – Muniment`;
  }, [title]);
}
