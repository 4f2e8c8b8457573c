import { defineRecognition } from '../define-recognition.js';
import { opensWith } from '../reading/beginning.js';
export const eadFiles = defineRecognition('ead_xml', (beginning) => opensWith(beginning, ['ead']));
