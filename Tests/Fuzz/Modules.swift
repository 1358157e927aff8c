/// Stands in for the declaration of kinds of source, of which the parsers use one function.
package enum EndpointSpec {}

/// Stands in for the values of options, of which a sound uses one case.
package enum OptionValue { case sound(String), other }
