import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ConnectionLost } from '../../libs/client/errors.js';
import { awayMs } from './asking.js';
import { service } from './session.js';
const place = 'muniment.loaded-anew';
export function useView(beginning, load) {
    const [shown, setShown] = useState(null);
    const [fault, setFault] = useState(null);
    useLayoutEffect(() => {
        let isLeft = false;
        setFault(null);
        load().then((View) => {
            sessionStorage.removeItem(place);
            if (!isLeft)
                setShown({ beginning, View });
        }, (error) => {
            if (!isLeft)
                setFault(error instanceof TypeError ? new ConnectionLost(location.origin, error) : error);
        });
        return () => {
            isLeft = true;
        };
    }, [beginning]);
    useEffect(() => {
        if (!(fault instanceof ConnectionLost) || sessionStorage.getItem(place) === location.pathname)
            return undefined;
        const timer = setInterval(() => void loadAnew(), awayMs);
        return () => clearInterval(timer);
    }, [fault]);
    return { View: shown?.beginning === beginning ? shown.View : null, fault, again: () => void loadAnew() };
}
async function loadAnew() {
    try {
        await service.ask('/health/live');
    }
    catch {
        return;
    }
    sessionStorage.setItem(place, location.pathname);
    location.reload();
}
