// The language of a finding aid as the web and PDF name languages.
import type { JsonObject } from '../../json.ts';
import { textOf } from '../../json.ts';

// Codes of ISO 639-2/B that are not those of 639-2/T, from which tags are made (ISO 639-2 code list).
const terminological: ReadonlyMap<string, string> = new Map(
  'alb:sqi arm:hye baq:eus bur:mya chi:zho cze:ces dut:nld fre:fra geo:kat ger:deu gre:ell ice:isl mac:mkd mao:mri may:msa per:fas rum:ron slo:slk tib:bod wel:cym'
    .split(' ')
    .map((pair) => [pair.slice(0, 3), pair.slice(4)]),
);

/** The tag (BCP 47) of the language in which a resource is described; English where it does not say. */
export function languageOf(resource: JsonObject): string {
  const code = textOf(resource, 'finding_aid_language') ?? 'eng';
  // No language: undetermined, several, without words.
  if (!/^[a-z]{3}$/.test(code) || ['und', 'mul', 'zxx', 'mis'].includes(code)) return 'en';
  return Intl.getCanonicalLocales(terminological.get(code) ?? code)[0] ?? 'en';
}

// Languages that are written from right to left.
const rightToLeft: ReadonlySet<string> = new Set('ar arc ckb dv fa he nqo ps sd syr ug ur yi'.split(' '));

/** Whether texts in a language (as `languageOf` gives it) run from right to left. */
export const runsRightToLeft = (language: string): boolean => rightToLeft.has(language);
