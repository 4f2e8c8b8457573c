// Entries of the audit log about what a request does, written in the transaction that does it.
import type { AuditedBy, AuditFact } from '#store/access/audit.ts';
import { appendAudit } from '#store/access/audit.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { Call } from '../route.ts';

/** What of a call tells who does it. */
export type Audited = Pick<Call<unknown, unknown>, 'caller' | 'address' | 'requestId'>;

/** Appends an entry in the name of the caller, or of `actor`, who is about to be the caller. */
export async function audit(
  tx: Transaction,
  call: Audited,
  fact: AuditFact,
  actor: string | null = call.caller.username,
): Promise<void> {
  await appendAudit(tx, { ...auditedBy(call), actor }, fact);
}

/** Who does what a call asks for. */
export const auditedBy = ({ caller, address, requestId }: Audited): AuditedBy => ({
  actor: caller.username,
  address,
  requestId,
});
