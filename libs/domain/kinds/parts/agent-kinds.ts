// The kinds of agents.

/** The kinds of agents, as targets of refs, in the contract's order. */
export const agentKinds: readonly string[] = [
  'agent_corporate_entity',
  'agent_family',
  'agent_person',
  'agent_software',
];
