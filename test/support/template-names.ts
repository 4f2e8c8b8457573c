// By itself, so that tests of the store do not load the worker for a name.

/** The name of the template that a worker has been through (settled.ts), beside the one of this name that none has. */
export const settledOf = (templateName: string): string => `${templateName}_settled`;
