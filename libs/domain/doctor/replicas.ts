// What the standing of replicas means for the operator.
import type { ReplicaFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { finding, timeText } from './finding.ts';

// What is wrong with a replica, by its standing, and what to do about it.
const faults: { readonly [standing: string]: readonly [says: string, advice: string] } = {
  unreachable: [
    'does not answer',
    'Look whether it runs, and whether it takes connections from here with the name and password of DATABASE_REPLICA_URL.',
  ],
  not_a_replica: [
    'takes writes of its own: it is the primary, or was promoted',
    'Name replicas alone; one that was promoted by mistake is made anew from the primary.',
  ],
  other_cluster: [
    'is a copy of other data than the database of DATABASE_URL',
    'Mend the address, or make it anew from this primary.',
  ],
  other_timeline: [
    'follows another primary than the one of now',
    'After a failover: point its primary_conninfo at the new primary. Without the role pg_monitor it is known some minutes later that it follows.',
  ],
  behind: [
    'is too far behind to answer reads',
    'Look at its disk and network, at long queries there (pg_stat_activity), and whether its replay is paused (pg_wal_replay_resume()).',
  ],
};

/** Findings about replicas: the service answers without those that are left out, at the cost of the primary. */
export const judgeReplicas = (replicas: readonly ReplicaFacts[]): readonly Finding[] =>
  replicas.flatMap(({ name, standing, behindSeconds }) => {
    const [says, advice] = faults[standing] ?? [];
    if (says === undefined || advice === undefined) return [];
    const lag = standing === 'behind' && behindSeconds >= 1 ? `, by ${timeText(behindSeconds)}` : '';
    return [finding('warning', 'replica_left_out', `The replica ${name} is left out: it ${says}${lag}.`, advice)];
  });
