import { defineRecognition } from '../define-recognition.js';
import { isAuthority, isMarcXml } from './reading/beginning.js';
export const marcFiles = defineRecognition('marcxml', (beginning) => isMarcXml(beginning) && !isAuthority(beginning));
