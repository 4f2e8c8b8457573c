// METS 1 as a table, as far as it is written: a data table after the primer of the METS Editorial Board.
import { contentModel } from './check.ts';

/** METS. */
export const mets = contentModel({
  namespace: 'http://www.loc.gov/METS/',
  roots: 'mets',
  ids: 'ID',
  refs: 'DMDID FILEID',
  values: {
    CREATEDATE: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/,
    ORDER: /^-?\d+$/,
    'xlink:href': /^[^\s<>"{}|\\^`]*$/,
  },
  rows: [
    ['mets', '(metsHdr )?(dmdSec )*(amdSec )*(fileSec )?(structMap )+', 'ID OBJID LABEL TYPE PROFILE'],
    ['metsHdr', '(agent )*', 'ID CREATEDATE LASTMODDATE RECORDSTATUS'],
    [
      'agent',
      'name (note )*',
      'ID ROLE!=CREATOR|EDITOR|ARCHIVIST|PRESERVATION|DISSEMINATOR|CUSTODIAN|IPOWNER|OTHER TYPE=INDIVIDUAL|ORGANIZATION|OTHER',
    ],
    ['name note', '#'],
    ['dmdSec', 'mdWrap ', 'ID! GROUPID CREATED STATUS'],
    ['mdWrap', 'xmlData ', 'ID MDTYPE!=MARC|MODS|EAD|DC|OTHER OTHERMDTYPE LABEL'],
    ['xmlData', '(\\* )+'],
    ['amdSec', '', 'ID'],
    ['fileSec', '(fileGrp )+', 'ID'],
    ['fileGrp', '(fileGrp )*|(file )*', 'ID USE'],
    ['file', '(FLocat )+', 'ID! GROUPID USE MIMETYPE SIZE CHECKSUM'],
    [
      'FLocat',
      '',
      'ID LOCTYPE!=ARK|URN|URL|PURL|HANDLE|DOI|OTHER OTHERLOCTYPE xlink:type=simple xlink:href xlink:title xlink:role',
    ],
    ['structMap', 'div ', 'ID TYPE LABEL'],
    ['div', '(mptr )*(fptr )*(div )*', 'ID ORDER ORDERLABEL LABEL DMDID TYPE'],
    ['fptr', '', 'ID FILEID!'],
  ],
});
