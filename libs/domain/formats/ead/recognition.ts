// Files in EAD 2002 and EAD3.
import { defineRecognition } from '../define-recognition.ts';
import { opensWith } from '../reading/beginning.ts';

export const eadFiles = defineRecognition('ead_xml', (beginning) => opensWith(beginning, ['ead']));
