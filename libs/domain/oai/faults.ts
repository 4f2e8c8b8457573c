// The errors of OAI-PMH 2.0 with the texts that harvesters know (contract OAI 9).

const texts = {
  badVerb:
    'Value of the verb argument is not a legal OAI-PMH verb, the verb argument is missing, or the verb argument is repeated.',
  badArgument:
    'The request includes illegal arguments, is missing required arguments, includes a repeated argument, or values for arguments have an illegal syntax.',
  cannotDisseminateFormat:
    'The metadata format identified by the value given for the metadataPrefix argument is not supported by the item or by the repository.',
  idDoesNotExist: 'The value of the identifier argument is unknown or illegal in this repository.',
  noRecordsMatch:
    'The combination of the values of the from, until, set and metadataPrefix arguments results in an empty list.',
  noMetadataFormats: 'There are no metadata formats available for the specified item.',
  noSetHierarchy: 'This repository does not support sets.',
  badResumptionToken: 'The value of the resumptionToken argument is invalid or expired.',
} as const;

/** The code of an error. */
export type OaiCode = keyof typeof texts;

/** An error as it stands in a reply, under HTTP status 200. */
export type OaiFault = { readonly code: OaiCode; readonly message: string };

/** The error of a code, with its usual text or another. */
export const oaiFault = (code: OaiCode, message: string = texts[code]): OaiFault => ({ code, message });
