// Runs programs in an image as a container does, without one: in a mount namespace where the image is the root and read-only, as process 1 of a
// namespace of processes, without rights. The network is the machine's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childrenOf } from '#test/support/service.ts';
import type { Image } from './build.ts';

/** A program in the image. `stop`: SIGTERM, and the exit code; not 0 where it had to be killed, after a minute as with Compose. */
export type Contained = {
  output(): string;
  readonly ended: Promise<number | null>;
  stop(): Promise<number | null>;
};

// Of /dev what a container has, and no /dev/shm: it can be written to. setpriv is the image's, since whoever has no rights cannot change the root.
const script = `
image=$1 uid=\${2%:*} gid=\${2#*:}; shift 2
mount --bind "$image" "$image"
mount -t tmpfs -o mode=755 tmpfs "$image/run"
mkdir -m 755 "$image/run/secrets"
while [ "$1" != -- ]; do printf '%s' "$2" > "$image/run/secrets/$1"; chmod 444 "$image/run/secrets/$1"; shift 2; done
shift
mount -t tmpfs -o mode=1777 tmpfs "$image/tmp"
mount -t proc proc "$image/proc"
mount -t tmpfs -o mode=755 tmpfs "$image/dev"
for each in null zero full random urandom; do touch "$image/dev/$each"; mount --bind "/dev/$each" "$image/dev/$each"; done
for each in run dev; do mount -o remount,ro "$image/$each"; done
mount -o remount,ro,bind "$image"
exec chroot "$image" setpriv --reuid="$uid" --regid="$gid" --clear-groups --no-new-privs --bounding-set=-all "$@"`;

const namespaces = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];

/** Starts a program: the arguments of the image's entry point, or (`as it is`) a command. `secrets`: files under /run/secrets. */
export function startIn(
  { root, config }: Image,
  command: readonly string[],
  variables: { readonly [name: string]: string },
  secrets: { readonly [name: string]: string },
  how: 'by its entry point' | 'as it is' = 'by its entry point',
): Contained {
  const environment = [...config.Env, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
  const inside = ['env', '-i', '-C', config.WorkingDir, ...environment];
  const child = spawn(
    'unshare',
    [
      ...namespaces,
      ...['sh', '-euc', script, 'inside', root, config.User],
      ...Object.entries(secrets).flat(),
      ...['--', ...inside, ...(how === 'as it is' ? [] : config.Entrypoint), ...command],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    output: () => output,
    ended,
    stop: async () => {
      // unshare is above it, and passes no signals on.
      const end = (signal: NodeJS.Signals): void => {
        for (const pid of child.exitCode === null ? childrenOf(child.pid ?? 0) : []) process.kill(pid, signal);
      };
      end('SIGTERM');
      const timer = setTimeout(() => end('SIGKILL'), 60_000);
      return ended.finally(() => clearTimeout(timer));
    },
  };
}

/** Waits for its end. */
export async function endOf(program: Contained): Promise<{ readonly code: number | null; readonly output: string }> {
  const code = await program.ended;
  return { code, output: program.output() };
}
