/** The option that every command with a workspace takes. */
export const WORKSPACE = ['--workspace <dir>', 'the workspace, or any folder in it', '.'] as const;
