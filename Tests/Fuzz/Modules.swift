/// Stands in for the declaration of kinds of source, of which the parsers use one function.
package enum EndpointSpec {}
