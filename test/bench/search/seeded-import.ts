// Records as a large import leaves them, without importing: what benchmarks of the index and of reading records begin with.
import { sql } from '#store/connection/sql.ts';
import { appendChange } from '#store/change-log/append.ts';
import type { Database } from '#store/connection/database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { componentOf } from '../components.ts';

/** Components of one resource with subjects, agents, containers and notes, as an import leaves them: rows, and changes of a thousand ids. */
export async function seedImport(database: Database, count: number): Promise<void> {
  await database.transaction(
    async (tx) => {
      await tx.run(
        sql`INSERT INTO record (kind, id, label, publish, body) VALUES ('repository', 2, 'BENCH', true, '{"jsonmodel_type":"repository","repo_code":"BENCH"}')`,
      );
      await tx.run(
        sql`INSERT INTO record (kind, id, repo_id, label, publish, body) VALUES ('resource', 1, 2, 'Papers', true, '{"jsonmodel_type":"resource","title":"Papers","id_0":"B1","level":"collection"}')`,
      );
      await tx.run(
        sql`INSERT INTO record (kind, id, label, publish, body) SELECT 'subject', n, 'Topic ' || n, true, json_build_object('jsonmodel_type', 'subject', 'terms', '[]'::json) FROM generate_series(1, 200) n`,
      );
      await tx.run(
        sql`INSERT INTO record (kind, id, label, publish, body) SELECT 'agent_person', n, 'Person, ' || n, true, json_build_object('jsonmodel_type', 'agent_person', 'display_name', json_build_object('sort_name', 'Person, ' || n)) FROM generate_series(1, 300) n`,
      );
      await tx.run(
        sql`INSERT INTO record (kind, id, repo_id, label, body) SELECT 'top_container', n, 2, 'Box ' || n, json_build_object('jsonmodel_type', 'top_container', 'type', 'box', 'indicator', n::text) FROM generate_series(1, 1000) n`,
      );
      for (let from = 1; from <= count; from += 5000) {
        const part = Array.from({ length: 5000 }, (_, index) => from + index);
        await tx.run(
          sql`INSERT INTO record (kind, id, repo_id, label, publish, body) SELECT 'archival_object', id, 2, 'Component ' || id, true, body::json FROM ${sql.unnest(
            part.map((n) => [n, JSON.stringify(componentOf(n))]),
            ['int4', 'text'],
          )} AS u (id, body)`,
        );
      }
      await tx.run(sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role)
      SELECT 'archival_object', n, o, p, k, t, 2, r FROM generate_series(1, ${count}) n CROSS JOIN LATERAL (VALUES (0, 'subjects', 'subject', 1 + n % 200, NULL), (1, 'linked_agents', 'agent_person', 1 + n % 300, 'creator'),
        (2, 'instances.sub_container.top_container', 'top_container', 1 + n / 100 % 1000, NULL)) AS l (o, p, k, t, r)`);
      await tx.run(sql`INSERT INTO tree_root (repo_id, kind, root_id) VALUES (2, 1, 1)`);
      await tx.run(
        sql`INSERT INTO tree_bucket (key, repo_id, root_id, list_id, bucket, n, nv, kind) SELECT b * 1000000, 2, 1, 0, b, 500, 500, 1 FROM generate_series(1, ${count / 500}) b`,
      );
      await tx.run(
        sql`INSERT INTO tree_node (ord, repo_id, id, root_id, bucket, kind, visible, level) SELECT n * 1000, 2, n, 1, 1 + (n - 1) / 500, 1, true, 'file' FROM generate_series(1, ${count}) n`,
      );
      const ids = (last: number): readonly number[] => Array.from({ length: last }, (_, n) => n + 1);
      for (const [kind, last, repoId] of [
        ['subject', 200, null],
        ['agent_person', 300, null],
        ['top_container', 1000, 2],
        ['archival_object', count, 2],
        ['resource', 1, 2],
      ] as const) {
        await appendChange(tx, { kind, ids: ids(last), repoId, op: 'create', actor: null });
      }
    },
    { statementTimeoutMs: 600_000 },
  );
  await database.reader.any(sql.type(AnyRow)`ANALYZE`);
}

/** How many records seedImport makes beside the components: headings, containers, and the resource. */
export const seededBeside = 1501;
