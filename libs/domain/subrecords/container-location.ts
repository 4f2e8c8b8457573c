// The link of a container to a shelf, with its times; a link object, so without audit fields.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../schema/property.ts';
import { textOf } from '../json.ts';

/** Contract 1.6, container_location: a place left behind has an end. */
const previousHasEnd: Rule = (location, report) => {
  if (textOf(location, 'status') === 'previous' && location['end_date'] === undefined)
    report('end_date', 'is required if status is previous');
};

/** Contract schemas.json, `container_location`. */
export const ContainerLocation: Schema = {
  name: 'container_location',
  properties: {
    status: { type: 'string', minLength: 1, enumeration: 'container_location_status', required: 'error' },
    start_date: { type: 'date', required: 'error' },
    end_date: { type: 'date' },
    note: { type: 'string' },
    ref: { type: 'uri', to: ['location'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
  rules: [previousHasEnd],
  linkTimes: true,
};
