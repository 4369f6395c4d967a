/** Name of the SQLite file of the logs. */
export const LOGS_FILE = 'logs.db';
