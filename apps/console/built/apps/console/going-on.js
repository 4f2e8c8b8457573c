import { useEffect, useRef } from 'preact/hooks';
import { go } from './address.js';
export function useGoingOn() {
    const isLeft = useRef(false);
    useEffect(() => () => {
        isLeft.current = true;
    }, []);
    return (to) => {
        if (!isLeft.current)
            go(to);
    };
}
