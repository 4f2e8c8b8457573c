import { useEffect, useRef } from 'preact/hooks';
export function keepFocus() {
    let line = [];
    let isLooking = false;
    const look = () => {
        isLooking = false;
        const [last, ...around] = line;
        if (document.activeElement !== document.body || last === undefined)
            return;
        if (last.isConnected && !last.matches(':disabled'))
            return;
        const main = document.getElementById('main');
        const next = around.find((each) => each.isConnected && main?.contains(each) === true) ?? main;
        if (next instanceof HTMLElement)
            focusOn(next);
    };
    addEventListener('focusin', ({ target }) => {
        line = target instanceof Element ? withAncestors(target) : [];
    });
    new MutationObserver(() => {
        if (isLooking)
            return;
        isLooking = true;
        requestAnimationFrame(look);
    }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
}
export function useWindow() {
    const dialog = useRef(null);
    useEffect(() => {
        const before = document.activeElement;
        const shown = dialog.current;
        shown?.showModal();
        return () => {
            shown?.close();
            const next = before?.matches(':disabled') === true ? before.parentElement : before;
            if (next instanceof HTMLElement && next !== document.body && next.isConnected)
                focusOn(next);
        };
    }, []);
    return dialog;
}
function withAncestors(element) {
    const line = [];
    for (let each = element; each !== null; each = each.parentElement)
        line.push(each);
    return line;
}
function focusOn(element) {
    if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
        element.tabIndex = -1;
        element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
    }
    element.focus({ preventScroll: true });
}
