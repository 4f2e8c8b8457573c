// The report of ratings: a row for each rating of each assessment (contract trees-and-jobs 7.3, assessment_rating_report).
import type { Definition } from './definition.ts';
import { assessedList, between, isResearchValue, researchValue, surveyorList, text } from './parts.ts';

/** $5: the id of a definition, or null for all; $6: the values that count, or null for any. */
export const ratingReport: Definition = {
  of: `record r CROSS JOIN LATERAL (
      SELECT a.id, a.label, a.position, CASE WHEN ${isResearchValue('a')} THEN ${researchValue} ELSE x.value END AS value, x.note FROM assessment_attribute_definition a
      LEFT JOIN LATERAL (SELECT p->>'value' AS value, p->>'note' AS note FROM json_array_elements(r.body->'ratings') p WHERE (p->>'definition_id')::numeric = a.id LIMIT 1) x ON true
      WHERE a.type = 'rating' AND (a.repo_id IS NULL OR a.repo_id = r.repo_id) AND ($5::int IS NULL OR a.id = $5)) g
    WHERE r.kind = 'assessment' AND r.repo_id = $1 AND ($2 OR NOT r.suppressed) AND g.value IS NOT NULL AND ($6::text[] IS NULL OR g.value = ANY($6)) AND ${between(text('survey_begin'))}`,
  order: 'r.id, g.position, g.id',
  fields: {
    assessment_id: 'r.id',
    linked_records: assessedList,
    rating: 'g.label',
    value: 'g.value',
    note: 'g.note',
    surveyed_by: surveyorList,
    surveyed_extent: text('surveyed_extent'),
    survey_begin: text('survey_begin'),
    survey_end: text('survey_end'),
  },
};
