/** SQL that inserts the games that this query returns: their columns without the generated ones. */
export declare const insertGames: (query: string) => string;
