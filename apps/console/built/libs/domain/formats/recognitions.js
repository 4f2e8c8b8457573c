import { atomDescriptionSheets, atomAuthoritySheets, atomAccessionSheets } from './atom-csv/recognition.js';
import { accessionSheets, assessmentSheets, digitalObjectSheets, locationSheets, subjectSheets } from './csv/recognition.js';
import { eacFiles } from './eac/recognition.js';
import { eadFiles } from './ead/recognition.js';
import { marcAuthorityFiles } from './marc-authority/recognition.js';
import { marcFiles } from './marc/recognition.js';
export const allRecognitions = [
    atomDescriptionSheets,
    atomAuthoritySheets,
    atomAccessionSheets,
    accessionSheets,
    assessmentSheets,
    digitalObjectSheets,
    locationSheets,
    subjectSheets,
    eacFiles,
    eadFiles,
    marcAuthorityFiles,
    marcFiles,
];
