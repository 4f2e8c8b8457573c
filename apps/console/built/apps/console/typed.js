import { useEffect, useRef, useState } from 'preact/hooks';
import { go, query, withQuery } from './address.js';
import { useRested } from './asking.js';
const restMs = 250;
export function useTyped(parameter) {
    const asked = query.value;
    const [typed, setTyped] = useState(asked.get(parameter) ?? '');
    const rested = useRested(typed, restMs);
    const put = useRef(typed);
    useEffect(() => {
        if (rested === (query.value.get(parameter) ?? ''))
            return;
        put.current = rested;
        go(withQuery({ [parameter]: rested }), true);
    }, [rested]);
    useEffect(() => {
        const words = asked.get(parameter) ?? '';
        if (words === put.current)
            return;
        put.current = words;
        setTyped(words);
    }, [asked]);
    return [typed, setTyped];
}
