import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
export function DropFiles({ says, accept, isMany = false, onFiles }) {
    const [isOver, setOver] = useState(false);
    return (_jsxs("label", { class: isOver ? 'drop over' : 'drop', onDragOver: (event) => {
            event.preventDefault();
            setOver(true);
        }, onDragLeave: () => setOver(false), onDrop: (event) => {
            event.preventDefault();
            setOver(false);
            onFiles([...(event.dataTransfer?.files ?? [])]);
        }, children: [_jsx("span", { children: says }), _jsx("input", { type: "file", multiple: isMany, accept: accept, onChange: (event) => {
                    onFiles([...(event.currentTarget.files ?? [])]);
                    event.currentTarget.value = '';
                } })] }));
}
