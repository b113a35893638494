export function writeRuntime(dir: string, settings: NodeJS.ProcessEnv): void;
export function readRuntime(dir: string): Record<string, string>;
