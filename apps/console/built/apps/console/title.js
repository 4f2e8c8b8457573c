import { useEffect } from 'preact/hooks';
import { withoutMarkup } from './markup.js';
export function useTitle(title) {
    useEffect(() => {
        document.title = title === '' ? 'Muniment' : `${withoutMarkup(title)} – Muniment`;
    }, [title]);
}
