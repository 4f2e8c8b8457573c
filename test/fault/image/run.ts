// Runs programs in an image as a container does, without one: in a mount namespace where the image is the root and read-only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Image } from './build.ts';

/** A program in the image. `stop`: SIGTERM, and the exit code. */
export type Contained = {
  output(): string;
  readonly ended: Promise<number | null>;
  stop(): Promise<number | null>;
};

// `exec`, so that a signal to the process is one to the program.
const script = `
image=$1 user=$2; shift 2
mount --bind "$image" "$image"
mount -t tmpfs -o mode=755 tmpfs "$image/run"
mkdir -m 755 "$image/run/secrets"
while [ "$1" != -- ]; do printf '%s' "$2" > "$image/run/secrets/$1"; chmod 444 "$image/run/secrets/$1"; shift 2; done
shift
mount -t tmpfs -o mode=1777 tmpfs "$image/tmp"
mount -t proc proc "$image/proc"
mount --rbind /dev "$image/dev"
mount -o remount,ro,bind "$image"
exec chroot --userspec="$user" "$image" "$@"`;

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
      ...['--mount', '--propagation', 'private', 'sh', '-euc', script, 'inside', root, config.User],
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
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Waits for its end. */
export async function endOf(program: Contained): Promise<{ readonly code: number | null; readonly output: string }> {
  const code = await program.ended;
  return { code, output: program.output() };
}
