// Files in MARCXML: bibliographic records are resources where nobody names another import.
import { defineRecognition } from '../define-recognition.ts';
import { isAuthority, isMarcXml } from './reading/beginning.ts';

export const marcFiles = defineRecognition('marcxml', (beginning) => isMarcXml(beginning) && !isAuthority(beginning));
