export function readImportLog() {
    let where = 'files';
    let isAfterRule = false;
    let isHeading = false;
    let file = null;
    let record = null;
    let row = null;
    let faults = [];
    let place = nowhere();
    const left = [];
    const settle = () => {
        if (place.message !== null)
            faults.push({ file, record, line: place.line, column: place.column, property: null, says: place.message });
        place = nowhere();
    };
    const takeFault = (line) => {
        const [, cellFile, cellRow, column, message] = where === 'cells' ? (cell.exec(line) ?? []) : [];
        if (message !== undefined) {
            faults.push({
                file: cellFile ?? file,
                record: null,
                line: Number(cellRow),
                column: column ?? null,
                property: null,
                says: message,
            });
            return;
        }
        const [, name = '', says = ''] = field.exec(line) ?? [];
        if (name === 'message')
            place.message = says;
        else if (place.message !== null && name === 'line')
            place.line = Number(says);
        else if (place.message !== null && name === 'column')
            place.column = says;
        else if (place.message === null)
            faults.push({ file, record, line: row, column: null, property: name === '' ? null : name, says: says || line });
    };
    return {
        take(line) {
            const [, heading] = isAfterRule && where !== 'faults' ? (/^\w+: (.+)$/.exec(line) ?? []) : [];
            isAfterRule = /^={20,}$/.test(line) && !isHeading;
            isHeading = heading !== undefined;
            if (line === 'IMPORT ERROR')
                [where, file] = ['faults', null];
            else if (heading !== undefined)
                [where, file] = ['files', heading];
            else if (where === 'faults' || where === 'cells') {
                if (line.startsWith('\t'))
                    return takeFault(line.trim());
                settle();
                if (line.startsWith('File: '))
                    file = line.slice('File: '.length);
                else if (line.startsWith('Line: '))
                    row = Number(line.slice('Line: '.length));
                else if (line.startsWith('Record '))
                    record = line;
                else if (line.startsWith('Faults of cells: '))
                    [where, faults] = ['cells', []];
                else if (line.startsWith('Bad records: '))
                    [where, faults, record, row] = ['faults', [], null, null];
            }
            else if (line.startsWith('Left out: ')) {
                where = 'left out';
                left.push({ file: file ?? '', total: Number(line.slice('Left out: '.length)), parts: [], more: 0 });
            }
            else if (where === 'left out' && line.startsWith('\t')) {
                const [last, rest] = [left.at(-1), /^\t… and (\d+) more$/.exec(line)];
                if (last !== undefined && rest !== null)
                    last.more = Number(rest[1]);
                else
                    last?.parts.push(line.trim());
            }
            else
                where = 'files';
        },
        faults() {
            settle();
            return faults;
        },
        leftOut: () => left,
    };
}
const field = /^(\w+) : (.*)$/;
const cell = /^(?:(.+), )?line (\d+), ([^:]+): (.*)$/;
const nowhere = () => ({ line: null, column: null, message: null });
