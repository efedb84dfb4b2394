// SPDX-License-Identifier: BSD-2-Clause
#pragma once

/// Descriptions without a fault, one per version of FMI, to be broken by tests: one element a line.
namespace tutti::test {

inline constexpr const char* good_v1 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="1.0" modelName="m" modelIdentifier="m" guid="g" numberOfContinuousStates="0" numberOfEventIndicators="0">
<UnitDefinitions>
<BaseUnit unit="m"><DisplayUnitDefinition displayUnit="cm" gain="100"/></BaseUnit>
</UnitDefinitions>
<TypeDefinitions>
<Type name="Length"><RealType unit="m" displayUnit="cm"/></Type>
<Type name="Gear"><EnumerationType min="1" max="2"><Item name="one"/><Item name="two"/></EnumerationType></Type>
</TypeDefinitions>
<ModelVariables>
<ScalarVariable name="u" valueReference="0" causality="input"><Real start="1" min="0" max="2" nominal="1"/></ScalarVariable>
<ScalarVariable name="y" valueReference="1" causality="output"><Real declaredType="Length"/>
<DirectDependency><Name>u</Name></DirectDependency>
</ScalarVariable>
<ScalarVariable name="z" valueReference="1" alias="negatedAlias"><Real/></ScalarVariable>
<ScalarVariable name="p" valueReference="2" variability="parameter"><Real start="3" fixed="true"/></ScalarVariable>
<ScalarVariable name="i" valueReference="3" variability="discrete"><Integer/></ScalarVariable>
<ScalarVariable name="g" valueReference="4" variability="parameter"><Enumeration declaredType="Gear" start="1"/></ScalarVariable>
<ScalarVariable name="s" valueReference="5" variability="discrete"><String/></ScalarVariable>
<ScalarVariable name="t" valueReference="5" alias="alias" variability="discrete"><String/></ScalarVariable>
</ModelVariables>
</fmiModelDescription>
)xml";

inline constexpr const char* good_v2 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g" generationDateAndTime="2020-01-01T00:00:00Z" variableNamingConvention="structured">
<ModelExchange modelIdentifier="m" canGetAndSetFMUstate="true" canSerializeFMUstate="true">
<SourceFiles><File name="m.c"/></SourceFiles>
</ModelExchange>
<UnitDefinitions>
<Unit name="m"><BaseUnit m="1"/><DisplayUnit name="cm" factor="100"/></Unit>
<Unit name="s"/>
</UnitDefinitions>
<TypeDefinitions>
<SimpleType name="Gear"><Enumeration><Item name="one" value="1"/><Item name="two" value="2"/></Enumeration></SimpleType>
<SimpleType name="Length"><Real unit="m"/></SimpleType>
</TypeDefinitions>
<LogCategories>
<Category name="first"/>
<Category name="second"/>
</LogCategories>
<DefaultExperiment startTime="0" stopTime="1"/>
<ModelVariables>
<ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
<ScalarVariable name="u" valueReference="1" causality="input"><Real start="1" min="0" max="2"/></ScalarVariable>
<ScalarVariable name="p" valueReference="2" causality="parameter" variability="fixed"><Real start="3" unit="m" displayUnit="cm" nominal="1"/></ScalarVariable>
<ScalarVariable name="q" valueReference="2" causality="calculatedParameter" variability="fixed"><Real unit="m"/></ScalarVariable>
<ScalarVariable name="c" valueReference="3" variability="constant"><Real start="5"/></ScalarVariable>
<ScalarVariable name="d" valueReference="3" variability="constant"><Real start="5"/></ScalarVariable>
<ScalarVariable name="x" valueReference="4" causality="local" initial="exact"><Real start="0" reinit="true"/></ScalarVariable>
<ScalarVariable name="der(x)" valueReference="5"><Real derivative="7"/></ScalarVariable>
<ScalarVariable name="y" valueReference="6" causality="output"><Real declaredType="Length"/></ScalarVariable>
<ScalarVariable name="g" valueReference="0" causality="parameter" variability="fixed"><Enumeration declaredType="Gear" start="1"/></ScalarVariable>
<ScalarVariable name="b" valueReference="0" causality="output" variability="discrete"><Boolean/></ScalarVariable>
</ModelVariables>
<ModelStructure>
<Outputs>
<Unknown index="9" dependencies="2 7" dependenciesKind="constant dependent"/>
<Unknown index="11" dependencies="2"/>
</Outputs>
<Derivatives>
<Unknown index="8" dependencies="2 7"/>
</Derivatives>
<InitialUnknowns>
<Unknown index="4" dependencies="3"/>
<Unknown index="8" dependencies="2 3"/>
<Unknown index="9" dependencies="7" dependenciesKind="constant"/>
<Unknown index="11" dependencies=""/>
</InitialUnknowns>
</ModelStructure>
</fmiModelDescription>
)xml";

inline constexpr const char* good_v3 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t" generationDateAndTime="2020-01-01T00:00:00.5+02:00">
<ModelExchange modelIdentifier="m"/>
<CoSimulation modelIdentifier="m" hasEventMode="true"/>
<UnitDefinitions>
<Unit name="m"><BaseUnit m="1"/><DisplayUnit name="cm" factor="100"/></Unit>
</UnitDefinitions>
<TypeDefinitions>
<EnumerationType name="Gear"><Item name="one" value="1"/><Item name="two" value="2"/></EnumerationType>
</TypeDefinitions>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<UInt64 name="n" valueReference="1" causality="structuralParameter" variability="fixed" start="2"/>
<Float64 name="u" valueReference="2" causality="input" start="1 2" intermediateUpdate="true"><Dimension valueReference="1"/></Float64>
<Float64 name="x" valueReference="3" causality="output" initial="exact" start="0" unit="m" displayUnit="cm" reinit="true"/>
<Float64 name="der(x)" valueReference="4" derivative="3"/>
<Float64 name="z" valueReference="5"/>
<Clock name="tick" valueReference="6" causality="input" intervalVariability="constant" intervalDecimal="0.1"/>
<Int32 name="k" valueReference="7" variability="discrete" clocks="6" previous="8" initial="exact" start="0"/>
<Int32 name="pre(k)" valueReference="8" variability="discrete" clocks="6" initial="exact" start="0"/>
<Enumeration name="g" valueReference="9" causality="parameter" declaredType="Gear" start="2"/>
</ModelVariables>
<ModelStructure>
<Output valueReference="3" dependencies=""/>
<ContinuousStateDerivative valueReference="4" dependencies="2" dependenciesKind="constant"/>
<ClockedState valueReference="7" dependencies=""/>
<InitialUnknown valueReference="4" dependencies="2"/>
<EventIndicator valueReference="5"/>
</ModelStructure>
</fmiModelDescription>
)xml";

}  // namespace tutti::test
