// The identity section of EAC-CPF 2.0: kind, names with their status, sets of parallel names, identifiers.
import type { JsonObject } from '../../../../json.ts';
import { objectsOf, textOf } from '../../../../json.ts';
import type { XmlWriter } from '../../../xml/writer.ts';
import { writeDates } from '../dates.ts';
import { entityTypes, writeParts } from '../names.ts';
import { knownLanguage, scriptCode } from '../values.ts';

/** Writes the section. */
export function writeIdentity(xml: XmlWriter, agent: JsonObject): void {
  const model = textOf(agent, 'jsonmodel_type') ?? '';
  xml.open('identity').element('entityType', { value: entityTypes[model] });
  for (const name of objectsOf(agent, 'names')) {
    const parallels = objectsOf(name, 'parallel_names');
    if (parallels.length === 0) {
      writeName(xml, model, name, name);
      continue;
    }
    xml.open('nameEntrySet', { localType: 'parallel' });
    for (const form of [name, ...parallels]) writeName(xml, model, form, name);
    xml.close();
  }
  for (const identifier of objectsOf(agent, 'agent_identifiers'))
    xml.element(
      'identityId',
      { localType: textOf(identifier, 'identifier_type') },
      textOf(identifier, 'entity_identifier'),
    );
  xml.close();
}

/** A name, or a parallel form of `main`, which alone says whether it is authorized. */
function writeName(xml: XmlWriter, model: string, name: JsonObject, main: JsonObject): void {
  // `local` is what a name without a vocabulary comes in with.
  const source = textOf(name, 'source');
  xml.open('nameEntry', {
    languageOfElement: knownLanguage(textOf(name, 'language')),
    scriptOfElement: scriptCode(textOf(name, 'script')),
    vocabularySource: source === 'local' ? undefined : source,
    preferredForm: name['is_display_name'] === true ? true : undefined,
    status: main['authorized'] === true ? 'authorized' : 'alternative',
  });
  writeParts(xml, model, name);
  for (const date of objectsOf(name, 'use_dates')) {
    xml.open('useDates');
    writeDates(xml, [date], true);
    xml.close();
  }
  xml.close();
}
