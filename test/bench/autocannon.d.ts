// The part of autocannon's interface that the benchmarks use; the package brings no types.
declare module 'autocannon' {
  type Options = {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly headers?: { readonly [name: string]: string };
    readonly requests: readonly { readonly path: string }[];
  };
  type Result = {
    readonly requests: { readonly average: number; readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly duration: number;
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
  };
  const autocannon: (options: Options) => Promise<Result>;
  export default autocannon;
}
