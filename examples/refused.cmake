# Runs PROGRAM, which must refuse to describe its model, and keeps what it says in TEXT.
execute_process(COMMAND ${PROGRAM} 2.0 refused cs ${TEXT}.xml
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} should have refused its model")
endif()
file(WRITE ${TEXT} "${said}")
