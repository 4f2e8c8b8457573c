// Files in EAC-CPF 2010 and 2.0.
import { defineRecognition } from '../define-recognition.ts';
import { opensWith } from '../reading/beginning.ts';

export const eacFiles = defineRecognition('eac_xml', (beginning) => opensWith(beginning, ['eac-cpf', 'eac']));
