// Rules and links that the described kinds share. Contract, behaviour-records.md 1.6, 3.2, 3.3 and 5.5.
import { objectOf, objectsOf, textOf } from '../../json.ts';
import type { LinkRules, ModifiedWith, MutualLink } from '../../kind.ts';
import { agentKinds } from './agent-kinds.ts';
import type { Rule } from '../../schema/property.ts';

/** Level otherlevel says which. */
export const otherLevelNamed: Rule = (body, report) => {
  if (textOf(body, 'level') === 'otherlevel' && textOf(body, 'other_level') === undefined)
    report('other_level', 'missing required property');
};

/** At least one language of the material, or of its description, is given as a code. */
export const hasLanguage: Rule = (body, report) => {
  const codes = objectsOf(body, 'lang_materials').some(
    (material) => objectOf(material, 'language_and_script') !== undefined,
  );
  if (!codes) report('coded_errors', 'must_contain_at_least_one_language');
};

/** An instance goes with its digital object or top container; the record that held it stays. */
export const instanceLinks: LinkRules = {
  'instances.digital_object': { whenTargetGoes: 'drop_part' },
  'instances.sub_container.top_container': { whenTargetGoes: 'drop_part' },
};

/** `classifications`, the far side of the linked records of classifications and their terms. */
export const classificationLinks: { readonly classifications: MutualLink } = {
  classifications: { relation: 'classification' },
};

const classifying = ['classification', 'classification_term'];

/** What shows the containers, agents and classifications that it links to; links with classifications may be written from either side. */
export const modifiedWithLinked: ModifiedWith = {
  targets: ['top_container', ...agentKinds, ...classifying],
  sources: classifying,
};
