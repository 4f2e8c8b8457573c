import { defineRecognition } from '../define-recognition.js';
import { opensWith } from '../reading/beginning.js';
export const eacFiles = defineRecognition('eac_xml', (beginning) => opensWith(beginning, ['eac-cpf', 'eac']));
