import { defineRecognition } from '../define-recognition.js';
import { isAuthority, isMarcXml } from '../marc/reading/beginning.js';
export const marcAuthorityFiles = defineRecognition('marcxml_auth_agent', (beginning) => isMarcXml(beginning) && isAuthority(beginning));
