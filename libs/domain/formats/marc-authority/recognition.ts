// Files of MARC authority records.
import { defineRecognition } from '../define-recognition.ts';
import { isAuthority, isMarcXml } from '../marc/reading/beginning.ts';

export const marcAuthorityFiles = defineRecognition(
  'marcxml_auth_agent',
  (beginning) => isMarcXml(beginning) && isAuthority(beginning),
);
