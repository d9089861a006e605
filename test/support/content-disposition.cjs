/** Jest on Node 20 cannot `require` an ES module, as @fastify/static does with this one; Node itself can. */
module.exports = process.getBuiltinModule('node:module').createRequire(__filename)('content-disposition');
