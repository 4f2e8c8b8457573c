// The thread in which source-passwords.ts looks whether a password fits a hash of bcrypt: it says true or false, and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

// What started the thread.
const { password, hash } = workerData as { readonly password: string; readonly hash: string };
parentPort?.postMessage(compareSync(password, hash));
