// Files of hashes as operators have them, and as nobody should: read without showing what stands in them.
import { expect, it } from 'vitest';
import { readPasswordFile } from '../../../../apps/cli/migrate/password-file.ts';
import { filesForTests } from '../run-cli.ts';

const files = filesForTests();
const read = (text: string) => readPasswordFile(files.put('passwords', text), 'passwords');
const hash = '$2a$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW';

const create = `-- MySQL dump 10.13
DROP TABLE IF EXISTS \`auth_db\`;
CREATE TABLE \`auth_db\` (
  \`id\` int NOT NULL AUTO_INCREMENT,
  \`username\` varchar(255) NOT NULL,
  \`create_time\` datetime NOT NULL,
  \`pwhash\` varchar(255) NOT NULL,
  PRIMARY KEY (\`id\`),
  UNIQUE KEY \`username\` (\`username\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE \`other\` (\`username\` int);
INSERT INTO \`other\` VALUES ('mallory','x');
`;

it('reads what mysqldump writes, other tables left out', async () => {
  const rows = `(1,'admin','2024-01-02 03:04:05','${hash}'),(2,'o\\'hara''s; \\\\ (x),','2024-01-02','${hash}'),(3,'null',NULL,NULL)`;
  expect(
    await read(
      `${create}LOCK TABLES \`auth_db\` WRITE;\nINSERT INTO \`auth_db\` VALUES ${rows};\nINSERT INTO \`auth_db\` VALUES (4,'d',NULL,'y');\n`,
    ),
  ).toEqual([
    { username: 'admin', hash },
    { username: "o'hara's; \\ (x),", hash },
    { username: 'null', hash: '' },
    { username: 'd', hash: 'y' },
  ]);
});

it('reads inserts that name their columns, a row a line, without the table', async () => {
  expect(
    await read(`INSERT INTO aspace.auth_db (pwhash, \`username\`) VALUES\n ('${hash}','ann'),\n ('b' , 'bob');`),
  ).toEqual([
    { username: 'ann', hash },
    { username: 'bob', hash: 'b' },
  ]);
  expect(await read(`INSERT INTO auth_db (id, username, pwhash) VALUES (1,'ann','${hash}');`)).toEqual([
    { username: 'ann', hash },
  ]);
});

it('reads CSV in any order of columns', async () => {
  expect(await read(`\uFEFFusername,pwhash\nann,${hash}\n"b,b",x\n`)).toEqual([
    { username: 'ann', hash },
    { username: 'b,b', hash: 'x' },
  ]);
  expect(await read(`Username;id;pwhash\nann;1;${hash}\n`)).toEqual([{ username: 'ann', hash }]);
  expect(await read(`\npwhash\t"username"\n${hash}\tann\n`)).toEqual([{ username: 'ann', hash }]);
  const whole = `id,"username",create_time,"pwhash"\r\n1,ann,"2024-01-02 03:04:05",${hash}\r\n`;
  expect(await read(whole)).toEqual([{ username: 'ann', hash }]);
});

it.each([
  ['', 'neither a dump'],
  ['hello', 'neither a dump'],
  ['username,password\nann,x\n', 'needs the columns'],
  ['id,username\n1,ann\n', 'needs the columns'],
  [`INSERT INTO \`auth_db\` VALUES (1,'ann','${hash}');`, 'does not name the columns'],
  [`${create}INSERT INTO \`auth_db\` VALUES (1,'secret-name`, 'that is no list of values'],
  [`${create}INSERT INTO \`auth_db\` VALUES (1,sleep(9),'x','y');`, 'that is no list of values'],
  [`${create}INSERT INTO \`auth_db\` VALUES (1,'${'a'.repeat(1_000_000)}','x','y');`, 'that is no list of values'],
  [`${create}INSERT INTO \`auth_db\` SELECT * FROM other;`, 'neither a dump'],
])('refuses %j', async (text, words) => {
  const error: unknown = await read(text).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain(words);
  expect(String(error)).not.toMatch(/\$2a\$|secret-name/);
});

it('refuses what is no file', async () => {
  await expect(readPasswordFile(files.folder, 'folder')).rejects.toThrow('no file that can be read');
});
