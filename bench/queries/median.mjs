export const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
