"""How much luck can be taken out of results: coefficients are fitted here, and factors measured."""
