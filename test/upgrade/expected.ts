// What replies say otherwise than an earlier state did, on purpose: each with its reason, as the changelog has it. What is not listed is a fault.
import type { Difference } from './picture.ts';

type Expected = { readonly address: RegExp; readonly at: RegExp; readonly why: string };

const expected: readonly Expected[] = [
  {
    address: /(?:^|: )search /,
    at: /→ .*"\/repositories\/\d+\/jobs\/\d+"/,
    why: 'searches find jobs',
  },
  {
    address: /^muniment check --data$/,
    at: /^1 records with a version that no history leads to\n +subject \d+\nchecking/,
    why: 'merges of 21 November 2026 kept no revision of the record that stays',
  },
];

/** Why a difference is right; undefined: nobody knows. */
export function expectedOf({ address, at }: Difference): string | undefined {
  return expected.find((each) => each.address.test(address) && each.at.test(at))?.why;
}
