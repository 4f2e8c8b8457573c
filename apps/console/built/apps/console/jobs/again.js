import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { objectOf, textOf } from '../../../libs/domain/json.js';
import { Fault, useAsked } from '../asking.js';
import { wholeOf } from '../download.js';
import { useGoingOn } from '../going-on.js';
import { startJob } from '../import/start-job.js';
import { service } from '../session.js';
import { givenFiles } from './given-files.js';
import { mayStart } from './may-run.js';
import { j } from './words.js';
export function RunAgain({ uri, job }) {
    const repository = /^\/repositories\/\d+/.exec(uri)?.[0];
    const asked = objectOf(job, 'job');
    const type = textOf(asked, 'jsonmodel_type');
    const { value } = useAsked(repository === undefined ? null : `${uri}/output_files`);
    const [fault, setFault] = useState(null);
    const [isSending, setSending] = useState(false);
    const goOn = useGoingOn();
    if (repository === undefined || asked === undefined || type === undefined || !Array.isArray(value))
        return null;
    if (value.length < givenFiles(asked).length)
        return null;
    if (!mayStart(type, repository))
        return null;
    const start = async () => {
        setSending(true);
        setFault(null);
        try {
            const names = givenFiles(asked);
            const files = await Promise.all(names.map((name, index) => fileOf(uri, Number(value[index]), name)));
            goOn(`/console/job${await startJob(repository, asked, files, textOf(job, 'job_params') ?? null)}`);
        }
        catch (error) {
            setFault(error);
        }
        setSending(false);
    };
    return (_jsxs(_Fragment, { children: [_jsx("div", { class: "buttons", children: _jsx("button", { type: "button", disabled: isSending, onClick: () => void start(), children: j('again') }) }), fault !== null && _jsx(Fault, { fault: fault })] }));
}
async function fileOf(uri, id, name) {
    const reply = await service.send(`${uri}/output_files/${id}`);
    return new File([await wholeOf(reply)], name);
}
