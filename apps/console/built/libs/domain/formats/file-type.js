import { readBeginning } from './reading/beginning.js';
import { allRecognitions } from './recognitions.js';
export function fileType(firstBytes, name) {
    const beginning = readBeginning(firstBytes);
    const known = allRecognitions.find(({ recognises }) => recognises(beginning));
    if (known !== undefined)
        return known.importType;
    const text = beginning.text.trim();
    if (text.startsWith('['))
        return 'json';
    return /\.xml$/i.test(name) && text === '' && firstBytes.length > 0 ? 'ead_xml' : null;
}
