// Who reads records, and so what of them is shown.
import type { Config } from '#domain/config.ts';

/**
 * Who reads. `seesSuppressed`: suppressed records too; global kinds are never filtered. `seesUse`: agents and subjects tell in which
 * repositories they are used, as holders of index_system see them where they ask for the record itself (contract 4.2).
 * `seesConfidential`: lists that kinds declare so (contact details); absent, they are empty, so that whoever forgets to ask gives none away.
 * `seesPlain`: records without what is computed from other rows; how an agent or subject is used costs far more than reading it.
 * `seesSaves`: false leaves out who saved records and when, in them and in their parts, for readers that show nothing of it: a third of a text.
 * `release`: what this release of the interface alone shows; absent: R-B.
 */
export type Viewer = {
  readonly seesSuppressed: boolean;
  readonly seesUse?: boolean;
  readonly seesConfidential?: boolean;
  readonly seesPlain?: boolean;
  readonly seesSaves?: boolean;
  readonly release?: Config['MUNIMENT_RELEASE'];
};
