// The title of the window.
import { useEffect } from 'preact/hooks';

/** Says what the view is about in the title of the window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Muniment' : `${title} – Muniment`;
  }, [title]);
}
