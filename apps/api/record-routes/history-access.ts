// Who may see the history of a record, and bring something back from it.
import { can } from '#domain/access/caller.ts';
import type { Kind } from '#domain/kind.ts';
import type { Route } from '../route.ts';
import type { AnyCall } from './if-match.ts';
import { seesConfidential } from './viewing.ts';

/** A route, as far as it says who may call it. */
type Declared = Pick<Route, 'access'>;

/**
 * Who may see a history, and bring something back from it: whoever may both read and update the record, as earlier versions hold what has been
 * taken away since or was never published; administrators where no permission says who that is. Bringing a deleted record back also takes the
 * permission to create one. Suppressed states are seen by those who see suppressed records (viewerOf), and `hidden` properties by nobody
 * in an old version who does not see them in the record.
 */
export const historyAccess = {
  see: (read: Declared, update: Declared | undefined): Route['access'] => {
    const needed = [...permissionsOf(read), ...(update === undefined ? [] : permissionsOf(update))];
    return { all: needed.length === 0 || update === undefined ? ['administer_system'] : [...new Set(needed)] };
  },
  restore: (update: Declared): Route['access'] => update.access,
  mayUndelete: (kind: Kind, call: AnyCall): boolean =>
    kind.may.create === 'public' || (kind.may.create !== undefined && can(call.caller, kind.may.create, call.repoId)),
  hidden: (kind: Kind, call: AnyCall): readonly string[] => (seesConfidential(call) ? [] : kind.confidential),
};

const permissionsOf = ({ access }: Declared): readonly string[] =>
  typeof access === 'object' && 'all' in access ? access.all : [];
